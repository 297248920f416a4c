"""Figures for Prometheus: of calls and jobs, and of packs that measure something of their own."""
