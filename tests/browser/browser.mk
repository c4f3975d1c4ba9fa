# The report's page in headless Chromium.
DEPS_BROWSER = chromium chromium-driver python3-selenium python3-pil
PAGE ?= build/report/index.html

.PHONY: deps-browser test-browser

deps-browser: ## install the browser that makes test-browser possible (Debian and Ubuntu)
	@$(APT_INSTALL) $(DEPS_BROWSER)

build/report/index.html: $(PROGRAM)
	$(PROGRAM) report -n 5 -k user:count=20k -o $(@D)

test-browser: $(PAGE) ## look at the report's page in a real browser (PAGE=; pictures go to build/browser)
	prove --timer --exec /usr/bin/python3 tests/browser/page.py :: $(PAGE)
