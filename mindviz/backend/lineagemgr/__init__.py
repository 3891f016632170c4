"""Routes of `mindviz.lineagemgr`."""
