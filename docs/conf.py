"""Settings of the documentation site: `make docs` builds it from these pages, with warnings as errors."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

project = "kakari"
author = "The kakari developers"
version = release = installed_version("kakari")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "public_names", "command_pages"]
exclude_patterns = ["site", "results"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 3
myst_enable_extensions = ["fieldlist"]
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository (`../SECURITY.md`), which are no pages

default_role = "literal"  # `name` in a docstring is code
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the signature shows them
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"kakari {release}"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_show_copyright = False
smartquotes = False  # quotation marks of commands must stay as they are typed
html_theme_options = {"footer_icons": [], "top_of_page_buttons": []}
html_copy_source = False
html_show_sphinx = False
