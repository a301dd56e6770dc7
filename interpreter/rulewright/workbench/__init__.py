"""The designer's workbench in the browser: source, table, cases, figures and book, side by side.

It works on the files of one folder, for whoever sits at this computer. It knows neither rules nor pieces: it asks the
rooms below, and shows what they say.

    page ⇄ windows ── bench: what each file says now ── workspace: the files; versions: all that they ever said
      └── lsp_bridge ── the language server, in a process of its own
"""
