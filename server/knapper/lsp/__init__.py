"""The editor's side: protocol, documents, conversion. The only importer of pygls, lsprotocol, asyncio.

Knows URIs and protocol types, which exist nowhere else; must not know Markdown, SQL or how to search.
"""
