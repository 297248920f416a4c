// Keeps an open page as it is now, and says when something is on its way. Without it every page still works.
const SECONDS = 3;

// A part that somebody writes in, or stands in, stays as it is.
const isInUse = (part) =>
  part.contains(document.activeElement) ||
  [...part.querySelectorAll("input[type=text]")].some((field) => field.value !== field.defaultValue);

const refresh = async (part) => {
  const answer = await fetch(part.dataset.live, { redirect: "error" });
  if (answer.status === 401) return location.reload(); // signed out elsewhere: the page leads to where one signs in
  if (!answer.ok || isInUse(part)) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").body;
  if (fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes);
};

setInterval(() => {
  if (document.hidden) return;
  for (const part of document.querySelectorAll("[data-live]")) if (!isInUse(part)) refresh(part).catch(() => {});
}, SECONDS * 1000);

document.addEventListener("submit", ({ target, submitter }) => {
  if (!target.dataset.busy || !submitter) return;
  // Afterwards: a button that is disabled now would not be sent.
  setTimeout(() => { submitter.textContent = target.dataset.busy; submitter.disabled = true; });
});
