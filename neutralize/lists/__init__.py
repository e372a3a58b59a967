"""Lists of names that are in use, kept small and with their date. `shipped` reads them; nobody is asked."""
