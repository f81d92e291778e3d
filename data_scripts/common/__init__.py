"""Helpers that every data script shares: errors, files, downloads, manifests, filters, splits."""
