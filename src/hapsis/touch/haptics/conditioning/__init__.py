"""Stages between a sensor and a model: conversions, filters, estimators, each with its delay."""
