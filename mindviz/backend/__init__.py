"""REST. The only package that knows the web framework."""
