#!/usr/bin/python3
"""The report's page in a real browser: headless Chromium opens it from the disk, at the widths of a phone, a tablet and a desk,
light and dark, on paper and at 200 %. Prints TAP; pictures go to SHOTS (build/browser). Then the page is broken on purpose, once a check:
each must see it.

    page.py build/report/index.html
"""
import base64, functools, io, json, os, re, shutil, signal, sys, urllib.parse

SHOTS = os.environ.get('SHOTS', 'build/browser')
PHONE, TABLET, DESK = 390, 768, 1280
HEIGHT, TILE = 900, 8000
SMALLEST = 7  # px of a chart's letters on a phone, a footnote's; a chart is a picture, which two fingers enlarge

count = failed = 0


def ok(problems, name):
    """Passes when there is no problem; shows the first few."""
    global count, failed
    count += 1
    failed += bool(problems)
    print(f"{'not ok' if problems else 'ok'} {count} - {name}")
    for problem in problems[:8]:
        print('#   ' + problem)
    if len(problems) > 8:
        print(f'#   and {len(problems) - 8} more')
    sys.stdout.flush()


def skip(why):
    print(f'1..0 # SKIP {why}' if os.environ.get('CI') != 'true' else f'Bail out! {why}')
    sys.exit(os.environ.get('CI') == 'true')


try:
    from PIL import Image
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys
except ImportError as error:
    skip(f'{error}: make deps-browser')


def start():
    browser, driver = shutil.which('chromium'), shutil.which('chromedriver')
    if not browser or not driver:
        skip('no chromium or no chromedriver: make deps-browser')
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for word in ['--headless=new', '--disable-gpu', '--hide-scrollbars', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--disable-background-networking']:
        options.add_argument(word)
    if os.geteuid() == 0:
        options.add_argument('--no-sandbox')
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    return webdriver.Chrome(service=Service(driver), options=options)


class Page:
    def __init__(self, browser, path):
        self.browser, self.url = browser, 'file://' + urllib.parse.quote(os.path.abspath(path))
        self.folder = os.path.dirname(os.path.abspath(path))
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'look.js'), encoding='utf-8') as f:
            self.look = f.read()

    def cdp(self, method, **words):
        return self.browser.execute_cdp_cmd(method, words)

    def show(self, width, scheme='light', media='screen', scale=1, phone=False):
        self.cdp('Emulation.setDeviceMetricsOverride', width=width, height=HEIGHT, deviceScaleFactor=scale, mobile=phone)
        self.cdp('Emulation.setEmulatedMedia', media=media, features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def open(self, *shown, **how):
        self.show(*shown, **how)
        self.taken = None
        self.browser.get(self.url)
        self.browser.execute_script(self.look.replace('const look', 'window.look'))

    def ask(self, what):
        return self.browser.execute_script(f'return {what}')

    def window(self):
        return Image.open(io.BytesIO(base64.b64decode(self.cdp('Page.captureScreenshot', format='png')['data']))).convert('RGB')

    def shot(self):
        """The whole page as it was when it was opened."""
        self.taken = self.taken or self.picture()
        return self.taken

    def picture(self):
        """The whole page, in tiles one below the other: further than that a browser's picture may be cut."""
        width, height = self.ask('[innerWidth, look.height()]')
        whole = Image.new('RGB', (width, height))
        for top in range(0, height, TILE):
            clip = {'x': 0, 'y': top, 'width': width, 'height': min(TILE, height - top), 'scale': 1}
            png = self.cdp('Page.captureScreenshot', format='png', captureBeyondViewport=True, clip=clip)['data']
            whole.paste(Image.open(io.BytesIO(base64.b64decode(png))).convert('RGB'), (0, top))
        return whole


@functools.lru_cache(maxsize=None)
def luminance(colour):
    r, g, b = (c / 255 / 12.92 if c / 255 <= 0.03928 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    high, low = sorted((luminance(tuple(a[:3])), luminance(tuple(b[:3]))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def over(colour, ground):
    alpha = colour[3]
    return tuple(alpha * c + (1 - alpha) * g for c, g in zip(colour[:3], ground[:3]))


def crop(picture, at):
    box = (int(at['x']), int(at['y']), int(at['x'] + at['w']) + 1, int(at['y'] + at['h']) + 1)
    return picture.crop((max(box[0], 0), max(box[1], 0), min(box[2], picture.width), min(box[3], picture.height)))


def colours(picture):
    return sorted(picture.getcolors(picture.width * picture.height) or [], reverse=True)[:200]


# --- checks: each gives a list of problems ----------------------------------------------------------

def check_console(page):
    return [f"{entry['level']}: {entry['message']}" for entry in page.browser.get_log('browser')]


def check_network(page):
    asked = [json.loads(entry['message'])['message'] for entry in page.browser.get_log('performance')]
    urls = {m['params']['request']['url'] for m in asked if m['method'] == 'Network.requestWillBeSent'}
    return [f'loads {url[:80]}' for url in sorted(urls) if url.split('#')[0] != page.url and not url.startswith('data:')]


def check_charts(page):
    return [f"chart {c['id']} {problem}" for c in page.ask('look.pictures()') for problem in c['problems']]


def check_pixels(page):
    problems, picture = [], page.shot()
    charts = page.ask('look.pictures()')
    for c in charts:
        seen = colours(crop(picture, c['at']))
        total = sum(n for n, _ in seen)
        if len(seen) < 3 or seen[0][0] > 0.995 * total:
            problems.append(f"chart {c['id']} is one colour, or nearly")
    return problems if charts else ['no chart']


def check_wide(page):
    return page.ask('look.wide()')


def check_text(page):
    """Each text's colour against the commonest colour behind it; and no more than a quarter of what is behind may be worse (lines cross)."""
    problems, texts = [], page.ask('look.texts()')
    page.ask("document.head.insertAdjacentHTML('beforeend', '<style id=bare>*, ::before, ::after { color: transparent !important; "
             "text-decoration-color: transparent !important } svg * { color: inherit } svg text, svg tspan { fill: transparent !important }</style>')")
    # shapes of a chart take the colour of the text around it (currentColor): keep that
    page.ask("document.querySelectorAll('svg').forEach(s => { s.style.setProperty('color', getComputedStyle(document.documentElement).getPropertyValue('--ink') || '#000', 'important');"
             "s.querySelectorAll('[color]').forEach(e => e.style.setProperty('color', 'inherit', 'important'));"
             "s.querySelectorAll('*').forEach(e => e.style.setProperty('color', 'inherit', 'important')) })")
    picture = page.picture()
    page.ask("(document.getElementById('bare').remove(), document.querySelectorAll('svg, svg *').forEach(e => e.style.removeProperty('color')))")
    for t in texts:
        seen = colours(crop(picture, t['at']))
        if not seen:
            continue
        need = 3 if t['px'] >= 24 or (t['bold'] and t['px'] >= 18.66) else 4.5
        total = sum(n for n, _ in seen)
        of = lambda ground: contrast(over(t['colour'], ground), ground)
        usual, bad = of(seen[0][1]), sum(n for n, ground in seen if of(ground) < need)
        if usual < need or bad > total / 4:
            problems.append(f"'{t['text']}' ({t['under']}, {t['px']} px): {usual:.2f} : 1 against {seen[0][1]}, {100 * bad / total:.0f} % of its ground worse than {need}")
    return problems if texts else ['no text']


def check_marks(page):
    """Lines, points and bars of charts, 3 : 1 against the paper. What is see-through (bands, hints) goes with a line that is not."""
    problems, paper = set(), page.ask('look.paper()')
    for c in page.ask('look.pictures()'):
        if c['id'] in SHADED:
            continue
        for colour in c['colours']:
            if colour[3] >= 0.6 and contrast(over(colour, paper), paper) < 3:
                problems.add(f"chart {c['id']}: rgb({colour[0]}, {colour[1]}, {colour[2]}), {contrast(over(colour, paper), paper):.2f} : 1 against the paper")
    return sorted(problems)


SHADED = {'names', 'resize', 'field-even', 'field-cost', 'cascade'}  # heat maps: their faintest cells mean little


def check_letters(page):
    return [f"'{t['text']}' has letters of {t['px']} px" for t in page.ask('look.texts()') if t['px'] < SMALLEST]


def check_labels(page):
    problems, seen = [], {}
    for c in page.ask('look.pictures()'):
        words = c['label'].split()
        if len(words) < 4:
            problems.append(f"chart {c['id']} is said to show '{c['label']}'")
        if c['label'] in seen:
            problems.append(f"charts {seen[c['label']]} and {c['id']} have the same words")
        seen[c['label']] = c['id']
    return problems if seen else ['no chart']


def check_links(page):
    problems = list(page.ask('look.lost()'))
    for link in page.ask('look.links()'):
        href = link['href'] or ''
        if not link['text']:
            problems.append(f'a link to {href} without words')
        if re.match(r'https?://', href) or href.startswith('#'):
            continue
        if not href or not os.path.exists(os.path.join(page.folder, urllib.parse.unquote(href))):
            problems.append(f"'{href}' is no file beside the page")
    return problems


def check_keys(page):
    """Scrollers take the focus and move by keys; what opens, opens by Enter."""
    problems = list(page.ask('look.unreachable()'))
    for k in range(page.ask('look.scrollers().length')):
        page.ask(f'look.scrollers()[{k}].focus()')
        page.browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        if page.ask(f'document.activeElement !== look.scrollers()[{k}]'):
            problems.append(f'scroller {k + 1} does not take the focus')
    for k in range(page.ask("document.querySelectorAll('details > summary').length")):
        page.ask(f"(document.querySelectorAll('details')[{k}].open = false, document.querySelectorAll('details > summary')[{k}].focus())")
        page.browser.switch_to.active_element.send_keys(Keys.ENTER)
        if not page.ask(f"document.querySelectorAll('details')[{k}].open"):
            problems.append(f'details {k + 1} do not open by Enter')
    return problems


def check_print(page):
    """On paper: nothing cut at the right, no navigation, and a PDF of some pages comes out."""
    problems = list(page.ask('look.wide()'))
    if page.ask("getComputedStyle(document.querySelector('nav')).display") != 'none':
        problems.append('the navigation is printed')
    pdf = base64.b64decode(page.cdp('Page.printToPDF', printBackground=True, paperWidth=8.27, paperHeight=11.69)['data'])
    with open(os.path.join(SHOTS, 'print.pdf'), 'wb') as f:
        f.write(pdf)
    pages = len(re.findall(rb'/Type\s*/Page\b', pdf))
    if not pdf.startswith(b'%PDF') or not 2 <= pages <= 80:
        problems.append(f'the PDF has {pages} pages')
    return problems


def of_look(name):
    return lambda page: page.ask(f'look.{name}()')


def save_charts(page, scheme):
    for c in page.ask('look.pictures()'):
        crop(page.shot(), c['at']).save(os.path.join(SHOTS, f"chart-{re.sub('[^a-z0-9-]', '', c['id'])}-{scheme}.png"))


# --- the page, whole ---------------------------------------------------------------------------------

def whole(page):
    page.open(DESK)
    ok(check_console(page), 'no message on the console')
    ok(check_network(page), 'nothing is loaded but the page')
    for name, check in [('no script, no handler', of_look('scripts')), ('headings in order', of_look('headings')),
                        ('language, landmarks, heads of tables, ids', of_look('structure')), ('each chart has words of its own for those who do not see it', check_labels),
                        ('every link leads somewhere', check_links)]:
        ok(check(page), name)
    for width, scheme in [(DESK, 'light'), (DESK, 'dark'), (PHONE, 'light'), (PHONE, 'dark'), (TABLET, 'light')]:
        at = f'{width} px, {scheme}'
        page.open(width, scheme, phone=width == PHONE)
        if width == DESK:
            save_charts(page, scheme)
        ok(check_wide(page), f'{at}: nothing to scroll sideways')
        ok(check_charts(page), f'{at}: every chart is there and shows its data')
        ok(of_look('collisions')(page), f'{at}: no words of a chart lie on each other')
        ok(check_text(page), f'{at}: every text stands out')
        ok(check_marks(page), f'{at}: lines, points and bars stand out')
        if width != TABLET:
            page.shot().save(os.path.join(SHOTS, f'page-{width}-{scheme}.png'))
            ok(check_pixels(page), f'{at}: no chart is blank')
        if width == PHONE and scheme == 'light':
            ok(check_letters(page), f'{at}: letters can be read')
            ok(check_keys(page), f'{at}: keys reach what scrolls and what opens')
    ok(check_console(page), 'and still no message')


def elsewhere(page):
    page.open(DESK // 2, scale=2)
    ok(check_wide(page), 'at 200 %: nothing to scroll sideways')
    ok(check_charts(page), 'at 200 %: charts are whole')
    page.open(DESK)
    page.ask("document.documentElement.style.fontSize = '200%'")
    ok(check_wide(page), 'letters twice as large: nothing to scroll sideways')
    page.open(718, media='print')
    ok(check_print(page), 'on paper: nothing is cut')
    ok(check_text(page), 'on paper: every text stands out')
    page.open(DESK)
    before = page.window()
    page.cdp('Emulation.setScriptExecutionDisabled', value=True)
    page.browser.get(page.url)
    after = page.window()
    page.cdp('Emulation.setScriptExecutionDisabled', value=False)
    ok([] if after.tobytes() == before.tobytes() else ['it looks different'], 'without JavaScript the page is the same')


# --- checks can fail -----------------------------------------------------------------------------------

STYLE = "document.head.insertAdjacentHTML('beforeend', '<style>{}</style>')"
BREAKS = [
    ('a message on the console', check_console, "console.warn('broken')"),
    ('a picture from elsewhere', check_network, "(new Image()).src = 'file:///nowhere.png'"),
    ('a script', of_look('scripts'), "document.body.append(document.createElement('script'))"),
    ('a handler', of_look('scripts'), "document.querySelector('h1').setAttribute('onclick', '1')"),
    ('a heading of the wrong level', of_look('headings'), "document.querySelector('h2').outerHTML = '<h4>x</h4>'"),
    ('an id twice', of_look('structure'), "document.querySelectorAll('section')[1].id = 'answer'"),
    ('a chart without words', check_labels, "document.querySelector('figure svg').removeAttribute('aria-label')"),
    ('two charts with the same words', check_labels, "(c => c[1].setAttribute('aria-label', c[0].getAttribute('aria-label')))(document.querySelectorAll('figure svg'))"),
    ('a link to nowhere on the page', check_links, "document.querySelector('nav a').href = '#gone'"),
    ('a link to a file that is not there', check_links, "document.querySelector('figcaption a').href = 'gone.svg'"),
    ('a wide block', check_wide, STYLE.format('main { min-width: 1400px }')),
    ('a block that is cut', check_wide, STYLE.format('body { overflow-x: clip } h2 { margin-right: -2000px }')),
    ('charts without height', check_charts, STYLE.format('figure svg { height: 0 }')),
    ('charts whose marks are see-through', check_charts, STYLE.format('figure svg * { stroke: transparent !important; fill: transparent !important }')),
    ('a chart whose words are cut', check_charts, "document.querySelector('figure svg text').setAttribute('dx', '-900')"),
    ('charts that are blank', check_pixels, STYLE.format('figure svg { visibility: hidden }')),
    ('words on words', of_look('collisions'), "(t => t.parentElement.insertAdjacentHTML('beforeend', t.outerHTML))(document.querySelector('figure svg text'))"),
    ('pale text', check_text, STYLE.format('figcaption { color: #999 }')),
    ('pale words in charts', check_text, STYLE.format('svg text { fill: #aaa }')),
    ('text on a ground of its colour', check_text, STYLE.format('.cards p { background: #333 }')),
    ('pale lines', check_marks, STYLE.format('figure svg path { stroke: #ccc !important }')),
    ('tiny letters', check_letters, STYLE.format('svg text { font-size: 8px }')),
    ('a scroller out of the keys\' reach', check_keys, STYLE.format('.lead { width: 100px; overflow-x: scroll; white-space: nowrap }')),
    ('navigation on paper', check_print, STYLE.format('nav { display: flex !important }')),
]


def broken(whole_page):
    """Each break on a copy with a few sections, which opens sooner; links want all of them."""
    path = os.path.join(whole_page.folder, '.few-sections.html')
    whole_page.open(DESK)
    whole_page.ask("document.querySelectorAll('section:nth-of-type(n + 4)').forEach(e => e.remove())")
    try:
        with open(path, 'w', encoding='utf-8') as f:
            f.write('<!DOCTYPE html>' + whole_page.ask('document.documentElement.outerHTML'))
        break_each(whole_page, Page(whole_page.browser, path))
    finally:
        os.remove(path)


def break_each(whole_page, few):
    for name, check, script in BREAKS:
        page = whole_page if check is check_links else few
        before = []
        page.open(*((718,) if check is check_print else (DESK,)), media='print' if check is check_print else 'screen')
        page.browser.get_log('browser'), page.browser.get_log('performance')
        try:
            if check not in (check_console, check_network):
                before = check(page)
                page.taken = None
            page.ask(script)
        except WebDriverException as error:
            ok([str(error.msg)], f'broken: {name}')
            continue
        ok([] if len(check(page)) > len(before) else ['not seen'], f'seen when it is broken: {name}')


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else 'build/report/index.html'
    if not os.path.exists(path):
        sys.exit(f'{path}: no such page; make test-browser makes one')
    os.makedirs(SHOTS, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the browser goes too
    browser = start()
    try:
        page = Page(browser, path)
        whole(page)
        elsewhere(page)
        if not os.environ.get('PLAIN'):
            broken(page)
    finally:
        browser.quit()
    print(f'1..{count}')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
