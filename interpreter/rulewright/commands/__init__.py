"""What is typed after `rulewright`: each command loads only what it uses."""
