// What a page shows, as the browser computed it. Each function gives a list of sentences, or of things to be measured on a picture of the page.
const look = (() => {
  const round = x => Math.round(x * 10) / 10;
  const shown = e => e.checkVisibility ? e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) : e.getClientRects().length > 0;
  const name = e => e.tagName.toLowerCase() + (e.id ? '#' + e.id : e.getAttribute('class') ? '.' + e.getAttribute('class') : '');
  const short = text => text.trim().replace(/\s+/g, ' ').slice(0, 40);
  const charts = () => [...document.querySelectorAll('figure svg, figure img')];

  // A colour as red, green, blue, alpha; null: none.
  const rgba = text => {
    const m = /^rgba?\(([^)]*)\)/.exec(text);
    if (!m) return null;
    const [r, g, b, a = 1] = m[1].split(/[,\/ ]+/).map(Number);
    return [r, g, b, a];
  };

  // The opacity of an element: its own and that of all around it.
  const opacity = e => { let o = 1; for (; e instanceof Element; e = e.parentElement) o *= Number(getComputedStyle(e).opacity); return o; };

  // The part of a rectangle that the scrollers around it leave in view; in coordinates of the page.
  const inView = (r, e) => {
    let { left, top, right, bottom } = r;
    for (e = e.parentElement; e && e !== document.body; e = e.parentElement)
      if (getComputedStyle(e).overflowX !== 'visible') {
        const c = e.getBoundingClientRect();
        left = Math.max(left, c.left); right = Math.min(right, c.right);
        top = Math.max(top, c.top); bottom = Math.min(bottom, c.bottom);
      }
    return right - left < 1 || bottom - top < 1 ? null : { x: left + scrollX, y: top + scrollY, w: right - left, h: bottom - top };
  };

  const scaleOf = e => e.ownerSVGElement ? Math.abs(e.ownerSVGElement.getScreenCTM().a) : 1;

  // Every piece of text: where it lies, its colour and size.
  const texts = () => {
    const list = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const add = (text, style, owner, rects, svg) => {
      let paint = svg ? style.fill : style.color;
      const colour = rgba(paint);
      if (!colour) return;
      colour[3] *= opacity(owner) * (svg ? Number(style.fillOpacity) : 1);
      const px = parseFloat(style.fontSize) * scaleOf(owner);
      for (const r of rects) {
        const at = inView(r, owner);
        if (at) list.push({ text: short(text), at, colour, px: round(px), bold: Number(style.fontWeight) >= 700, svg, under: name(owner) });
      }
    };
    for (let node; (node = walker.nextNode());) {
      const e = node.parentElement;
      if (!node.data.trim() || !shown(e) || ['STYLE', 'SCRIPT', 'TITLE'].includes(e.tagName)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      add(node.data, getComputedStyle(e), e, range.getClientRects(), !!e.ownerSVGElement);
    }
    for (const e of document.querySelectorAll('body *'))
      for (const which of ['::before', '::after']) {
        const style = getComputedStyle(e, which), m = /^"(.+)"$/.exec(style.content);
        if (m && shown(e) && style.display !== 'none') add(m[1], style, e, [e.getClientRects()[0]].filter(Boolean), false);
      }
    return list;
  };

  const shapes = 'path, circle, rect, line, polyline, polygon, ellipse, use';

  // What a chart is drawn with: shapes that show, without the grid and what only defines others.
  const marks = svg => [...svg.querySelectorAll(shapes)].filter(e => !e.closest('defs') && !e.classList.contains('gridline')).map(e => {
    const s = getComputedStyle(e), o = opacity(e), box = e.getBoundingClientRect();
    const paint = (text, more) => { const c = rgba(text); if (c) c[3] *= o * Number(more); return c && c[3] > 0 ? c : null; };
    return { box, stroke: parseFloat(s.strokeWidth) > 0 ? paint(s.stroke, s.strokeOpacity) : null, fill: paint(s.fill, s.fillOpacity), what: name(e) };
  }).filter(m => (m.stroke || m.fill) && (m.box.width > 0 || m.box.height > 0));

  // Charts: where they lie and with which colours; and what is wrong with them.
  const pictures = () => charts().map((e, k) => {
    const box = e.getBoundingClientRect(), figure = e.closest('figure'), problems = [];
    const label = e.getAttribute('aria-label') || e.getAttribute('alt') || (e.querySelector(':scope > title') || {}).textContent || '';
    const id = (/id="([^"]*)gnuplot_canvas"/.exec(e.innerHTML) || [])[1] || String(k + 1);
    const drawn = e instanceof SVGElement ? marks(e) : [];
    const none = /^no picture for these nodes/.test(e.textContent.trim()); // it says why in the caption
    if (box.width < 100 || box.height < (none ? 20 : 50)) problems.push(`is ${round(box.width)} x ${round(box.height)} px`);
    if (e instanceof SVGElement) {
      const inside = drawn.filter(m => m.box.right > box.left && m.box.left < box.right && m.box.bottom > box.top && m.box.top < box.bottom);
      if (inside.length < 5 && !none) problems.push(`shows ${inside.length} marks`);
      const out = r => r.right > box.right + 1 || r.left < box.left - 1 || r.bottom > box.bottom + 1 || r.top < box.top - 1;
      for (const t of e.querySelectorAll('text')) if (t.textContent.trim() && out(t.getBoundingClientRect())) problems.push(`cuts '${short(t.textContent)}'`);
      if (e.getAttribute('role') !== 'img') problems.push('has no role="img"');
    } else if (!e.complete || !e.naturalWidth) problems.push('does not load');
    if (!figure.querySelector('figcaption') || short(figure.querySelector('figcaption').textContent).length < 10) problems.push('has no caption');
    const colours = new Set();
    for (const m of drawn) for (const c of [m.stroke, m.fill]) if (c) colours.add(c.map(x => Math.round(x * 100) / 100).join(' '));
    return { id, label, problems, colours: [...colours].map(c => c.split(' ').map(Number)), at: { x: box.left + scrollX, y: box.top + scrollY, w: box.width, h: box.height } };
  });

  // Words of a chart that lie on each other.
  const collisions = () => charts().flatMap((e, k) => {
    const boxes = [...e.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => ({ t: short(t.textContent), r: t.getBoundingClientRect() }));
    const list = [];
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => {
      const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), h = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (w > 1 && h > 0.35 * Math.min(a.r.height, b.r.height)) list.push(`chart ${k + 1}: '${a.t}' lies on '${b.t}'`);
    }));
    return list;
  });

  // Wider than the window, or sticking out of it without a scroller around.
  const wide = () => {
    const root = document.scrollingElement, list = [];
    if (root.scrollWidth > root.clientWidth) list.push(`the page is ${root.scrollWidth} px wide in ${root.clientWidth}`);
    for (const e of document.querySelectorAll('body *')) {
      if (e.ownerSVGElement || !shown(e)) continue;
      const r = e.getBoundingClientRect();
      if (r.right <= root.clientWidth + 1 && r.left >= -1) continue;
      let around = e.parentElement;
      while (around && !/auto|scroll/.test(getComputedStyle(around).overflowX)) around = around.parentElement;
      if (!around) list.push(`${name(e)} '${short(e.textContent)}' reaches from ${round(r.left)} to ${round(r.right)} px`);
    }
    return list.slice(0, 5);
  };

  // A scroller must be reached and moved by keys.
  const scrollers = () => [...document.querySelectorAll('body *')].filter(e =>
    /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && shown(e));
  const unreachable = () => scrollers().filter(e => e.tabIndex < 0).map(e => `${name(e)} '${short(e.textContent)}' scrolls, but not by keys`);

  const headings = () => {
    const list = [], all = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')];
    let level = 0;
    for (const h of all) {
      const now = Number(h.tagName[1]);
      if (now > level + 1) list.push(`'${short(h.textContent)}' is ${h.tagName} below H${level}`);
      if (!h.textContent.trim()) list.push(`an empty ${h.tagName}`);
      level = now;
    }
    if (all.filter(h => h.tagName === 'H1').length !== 1) list.push('not one H1');
    return list;
  };

  const structure = () => {
    const list = [], ids = {};
    for (const e of document.querySelectorAll('[id]')) if (ids[e.id]++ || !(ids[e.id] = 1)) list.push(`id ${e.id} stands twice`);
    if (!document.documentElement.lang) list.push('no language');
    if (!document.title.trim()) list.push('no title');
    for (const tag of ['header', 'nav', 'main', 'footer']) if (!document.querySelector(tag)) list.push(`no ${tag}`);
    for (const t of document.querySelectorAll('table')) if (!t.querySelector('th[scope]')) list.push(`table '${short(t.textContent)}' without heads`);
    for (const e of document.querySelectorAll('[aria-label]')) if (!e.getAttribute('aria-label').trim()) list.push(`${name(e)} has an empty label`);
    for (const e of document.querySelectorAll('[role=region]')) if (!e.getAttribute('aria-label')) list.push(`${name(e)} is a region without a name`);
    return list;
  };

  const scripts = () => [
    ...[...document.querySelectorAll('script, iframe, object, embed')].map(e => `a ${e.tagName.toLowerCase()}`),
    ...[...document.querySelectorAll('*')].filter(e => e.getAttributeNames().some(a => a.startsWith('on'))).map(e => `${name(e)} has a handler`),
    ...[...document.querySelectorAll('[href^="javascript:"]')].map(e => `${name(e)} is a script`)];

  const links = () => [...document.querySelectorAll('a')].map(a => ({ href: a.getAttribute('href'), text: short(a.textContent || a.getAttribute('aria-label') || '') }));
  const lost = () => links().filter(l => l.href && l.href.startsWith('#') && !document.getElementById(decodeURIComponent(l.href.slice(1)))).map(l => `${l.href} leads nowhere`);

  return { texts, pictures, collisions, wide, unreachable, scrollers, headings, structure, scripts, links, lost,
    paper: () => rgba(getComputedStyle(document.body).backgroundColor), height: () => document.scrollingElement.scrollHeight };
})();
