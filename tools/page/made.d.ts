// The editor of the workbench, as tools/bundle_pages.py makes it of editor.js.

export const SourceEditor: any;
export function beside(parent: HTMLElement, how: { once: string | null | undefined; label: string }, before: string, after: string): () => void;
