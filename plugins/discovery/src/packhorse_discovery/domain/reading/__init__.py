"""What an answer says: its words, whether they support a structure, and the forms that are read without one."""
