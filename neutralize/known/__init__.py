"""What is known of an upstream beside its names, where it shows again, and how much of its text is left."""
