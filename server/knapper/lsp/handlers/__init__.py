"""One file for each group of requests: params in, one call of `ide` or `search`, protocol types out.

A handler knows nothing of threads, tasks or the connection; `lsp.table` says how each is run.
"""
