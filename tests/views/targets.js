// Fields that no label names, and what can be pressed but is lower or narrower than 44 px (WCAG 2.2, 2.5.5).
(() => {
  const SIZE = 44;
  const shown = (one) => one.checkVisibility() && !one.closest(".unseen, .skip");
  const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea")].filter(shown);
  const named = (one) => one.ariaLabel || [...(one.labels ?? [])].some((label) => label.textContent.trim());
  const pressed = [...fields, ...document.querySelectorAll("a, button, summary")].filter(shown);
  const box = (one) => (one.type === "checkbox" ? one.labels[0] : one).getBoundingClientRect();
  return {
    fields: fields.length,
    pressed: pressed.length,
    unlabelled: fields.filter((one) => !named(one)).map((one) => one.outerHTML),
    small: pressed.filter((one) => box(one).height < SIZE || box(one).width < SIZE).map((one) => one.outerHTML.slice(0, 200)),
  };
})()
