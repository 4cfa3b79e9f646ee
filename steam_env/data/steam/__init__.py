"""Maps and tiles of Steam (2009) as files to read and edit, and the code that loads and checks them."""
