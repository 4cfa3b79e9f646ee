"""Playing and watching in a browser: a server that holds the games, and the page that shows them."""
