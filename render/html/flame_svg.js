// The picture of --flame works without it; with it, it is searched and zoomed.
'use strict';
(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const LEFT = 10, WIDTH = 1180, COLUMN = 7.3, INDENT = 3, LEAST_COLUMNS = 8;

  const parent = document.getElementById('boxes');
  const status = document.getElementById('status');
  const isDifference = parent.firstElementChild.hasAttribute('data-base');
  const HINT = 'Click a box to zoom, Escape to see all, / to search';

  // A box in the order of the file: those that stand on it follow it. Its texts are taken from the title.
  function readBox(group) {
    const rect = group.querySelector('rect');
    const read = (name) => Number(rect.getAttribute(name));
    return {
      group, rect, label: group.querySelector('text'),
      x: read('x'), y: read('y'), width: read('width'),
      lines: group.querySelector('title').textContent.split('\n'),
      now: Number(group.getAttribute('data-now')), base: Number(group.getAttribute('data-base')),
    };
  }

  const boxes = [...parent.children].map(readBox);
  const places = new Map(boxes.map((box, i) => [box.group, i]));
  let found = HINT;

  // The first box behind those that stand on this one.
  function endOf(at) {
    let end = at + 1;
    while (end < boxes.length && boxes[end].y < boxes[at].y) end++;
    return end;
  }

  // ---- texts ----

  function columnsOf(width) {
    return Math.floor((width - 2 * INDENT) / COLUMN);
  }

  // The middle goes where a text is too long.
  function fit(name, columns) {
    const letters = [...name];
    if (letters.length <= columns) return name;
    if (columns < LEAST_COLUMNS) return '';
    const room = columns - 3, head = Math.floor(room / 2);
    return letters.slice(0, head).join('') + '...' + letters.slice(letters.length - room + head).join('');
  }

  // The name, and what the box has, or by how much it changed, where there is room for it.
  function labelOf(box, columns) {
    const [name, values] = box.lines;
    const both = name + '  ' + values.split(', ').pop();
    if (both.length <= columns) return both;
    return fit((!isDifference && box.now < 0 ? '\u2212' : '') + name, columns);
  }

  function setLabel(box, x, width) {
    const text = labelOf(box, columnsOf(width));
    if (text && !box.label) {
      box.label = box.group.appendChild(document.createElementNS(SVG, 'text'));
      box.label.setAttribute('y', box.y + 12);
    }
    if (!box.label) return;
    box.label.textContent = text;
    box.label.setAttribute('x', x + INDENT);
  }

  function valueText(value) {
    const shown = value / Number(parent.getAttribute('data-factor'));
    if (shown === 0) return '0';
    const digits = Math.abs(shown) < 0.01 ? shown.toPrecision(2) : shown.toFixed(2);
    return String(Number(digits)) + parent.getAttribute('data-unit');
  }

  function sumText(now, base) {
    if (isDifference) return valueText(base) + ' \u2192 ' + valueText(now);
    const divisor = Number(parent.getAttribute('data-divisor'));
    return valueText(now) + (divisor ? ' (' + (now / divisor * 100).toFixed(2) + '%)' : '');
  }

  function say(text) {
    status.textContent = fit(text, columnsOf(WIDTH));
  }

  // ---- zoom ----

  // What the box stands on.
  function callersOf(at) {
    const callers = new Set();
    let y = boxes[at].y;
    for (let i = at - 1; i >= 0; i--) {
      if (boxes[i].y <= y) continue;
      y = boxes[i].y;
      callers.add(i);
    }
    return callers;
  }

  // The box is as wide as the picture, and what it stands on too.
  function zoom(at) {
    const focus = boxes[at], end = endOf(at), callers = callersOf(at);
    const scale = WIDTH / focus.width;
    boxes.forEach((box, i) => {
      const isBelow = callers.has(i);
      const isShown = isBelow || (i >= at && i < end);
      box.group.setAttribute('display', isShown ? 'inline' : 'none');
      box.group.classList.toggle('dim', isBelow);
      if (!isShown) return;
      const x = isBelow ? LEFT : LEFT + (box.x - focus.x) * scale;
      const width = isBelow ? WIDTH : Math.min(box.width * scale, LEFT + WIDTH - x);
      box.rect.setAttribute('x', x);
      box.rect.setAttribute('width', width);
      setLabel(box, x, width);
    });
  }

  // ---- search ----

  function matcher(pattern) {
    try {
      const regex = new RegExp(pattern, 'i');
      return (name) => regex.test(name);
    } catch {
      return (name) => name.toLowerCase().includes(pattern.toLowerCase());
    }
  }

  // Each stack counts once: what stands on a match is part of it.
  function search(pattern) {
    const matches = pattern ? matcher(pattern) : () => false;
    let n = 0, now = 0, base = 0, counted = 0;
    boxes.forEach((box, i) => {
      const isHit = matches(box.lines[0]);
      box.group.classList.toggle('hit', isHit);
      n += isHit;
      if (!isHit || i < counted) return;
      now += box.now;
      base += box.base;
      counted = endOf(i);
    });
    found = pattern ? n + (n === 1 ? ' box' : ' boxes') + ' of "' + pattern + '": ' + sumText(now, base) : HINT;
    say(found);
  }

  function ask() {
    const pattern = prompt('Search for a function (a regular expression)', '');
    if (pattern !== null) search(pattern);
  }

  // ---- hands ----

  function boxAt(event) {
    return places.get(event.target.closest('#boxes > g'));
  }

  function addButton(text, x, act) {
    const button = document.createElementNS(SVG, 'text');
    button.textContent = text;
    button.setAttribute('class', 'button');
    button.setAttribute('x', x);
    button.setAttribute('y', 27);
    button.addEventListener('click', act);
    document.documentElement.append(button);
  }

  parent.addEventListener('click', (event) => zoom(boxAt(event) ?? 0));
  parent.addEventListener('mouseover', (event) => {
    const at = boxAt(event);
    if (at !== undefined) say(boxes[at].lines.join('  '));
  });
  parent.addEventListener('mouseout', () => say(found));
  document.addEventListener('keydown', (event) => {
    const isSearch = event.key === '/' || (event.key === 'f' && (event.ctrlKey || event.metaKey));
    if (isSearch) {
      event.preventDefault();
      ask();
    } else if (event.key === 'Escape') {
      zoom(0);
      search('');
    }
  });
  addButton('search', 1060, ask);
  addButton('show all', 1130, () => zoom(0));
  // The lowest row is what one looks at first, and the status stays in sight.
  const home = Number(status.getAttribute('y'));
  addEventListener('scroll', () => status.setAttribute('y', Math.max(home, scrollY + 27)));
  say(HINT);
  scrollTo(0, boxes[0].y);
  document.documentElement.dataset.ready = '1';
})();
