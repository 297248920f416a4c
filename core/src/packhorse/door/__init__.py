"""The one door: a call is found, judged, limited, run, and recorded."""
