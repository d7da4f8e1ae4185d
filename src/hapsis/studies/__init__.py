"""Studies: questions to a ready mechanism, each answered on one page with figures and facts."""
