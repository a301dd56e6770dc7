"""Random whole editions that use all of the language, and the properties that hold of each of them.

random_source ──editions, expressions, statements──▶ a tree with symbols ──names, yaml_writer──▶ YAML ──trial──▶ outcome
"""
