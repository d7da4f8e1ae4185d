"""Runs that carry derivatives: sensitivities forwards, gradients backwards."""
