"""Ports to models and the adapters behind them. The only package that knows fastembed and model files."""
