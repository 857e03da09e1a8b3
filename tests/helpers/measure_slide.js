// What slides.py asks of the slide that is shown.
(lowest) => {
  const section = document.querySelector(".slides > section.present");
  const stage = document.querySelector(".bvs-stage:not([hidden])");
  const shown = [section, stage].filter(Boolean);
  const measured = { beyond: [], scrolling: [], smallest: [Infinity, ""], figures: [] };
  const textsOf = (part) => {
    const found = [];
    for (const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT); texts.nextNode(); )
      found.push(texts.currentNode);
    return found;
  };
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true });
  const scrolls = (element) => /auto|scroll|hidden/.test(getComputedStyle(element).overflow);
  if (stage && section.querySelector("h2").getBoundingClientRect().bottom > stage.getBoundingClientRect().top)
    measured.beyond.push("the heading reaches into the view");
  for (const element of shown.flatMap((part) => [...part.querySelectorAll("*")])) {
    const { bottom, left, right, width, height } = element.getBoundingClientRect();
    if (!isSeen(element) || width < 2 || height < 2) continue;
    const hasOwn = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    let clipped = !hasOwn && !element.matches("img, svg, canvas, input, textarea, select, button, pre, math");
    for (let up = element.parentElement; up && !shown.includes(up); up = up.parentElement) clipped ||= scrolls(up);
    if (!clipped && (bottom > lowest || left < 0 || right > innerWidth))
      measured.beyond.push(
        `${element.tagName} ${element.className?.baseVal ?? element.className} ` +
          `left ${Math.round(left)} right ${Math.round(right)} bottom ${Math.round(bottom)}`,
      );
    const { overflowX, overflowY } = getComputedStyle(element);
    if (
      (/auto|scroll/.test(overflowX + overflowY) || element.matches("pre")) &&
      !element.matches("textarea") &&
      (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
    )
      measured.scrolling.push(
        `${element.tagName} ${element.className} ` +
          `${element.scrollWidth} x ${element.scrollHeight} in ${element.clientWidth} x ${element.clientHeight}`,
      );
    if (element.dataset.width) {
      const scale = Math.min(width / element.naturalWidth, height / element.naturalHeight);
      measured.figures.push([element.alt, (scale * element.naturalWidth) / Number(element.dataset.width)]);
    }
  }
  for (const { textContent, parentElement } of shown.flatMap(textsOf)) {
    const { width, height } = parentElement.getBoundingClientRect();
    if (!textContent.trim() || !isSeen(parentElement) || width < 2 || height < 2) continue;
    if (parentElement.closest(".bvl-tools, option")) continue;
    const size = parseFloat(getComputedStyle(parentElement).fontSize);
    if (size < measured.smallest[0]) measured.smallest = [size, textContent.trim().slice(0, 60)];
  }
  return measured;
};
