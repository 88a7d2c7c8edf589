// The page of the contents: an address that names a lesson or a course leads there, and
// who was here before can go on where they were.
(() => {
  const lessons = [...document.querySelectorAll("a[data-lesson]")];
  const [, course] = /[?&]course=([^&]+)/.exec(location.search) ?? [];
  if (course && lessons.length) {
    // Any page of the notebook opens it, and all are one folder further down.
    const whole = /^(?:[a-z]+(?::|%3A)|\/|%2F)/i.test(course);
    const query = `?course=${whole ? "" : "../"}${course}`;
    return location.replace(lessons[0].getAttribute("href") + query + location.hash);
  }
  const page = (lesson, rest) => {
    const found = lessons.find((link) => link.dataset.lesson === lesson || link.textContent === lesson);
    return found && found.getAttribute("href") + (rest ? `#${rest}` : "");
  };
  const asked = /^#lesson=([^&]+)&?(.*)$/.exec(location.hash);
  const way = asked && page(asked[1], asked[2]);
  if (way) return location.replace(way);

  let kept;
  try {
    kept = JSON.parse(localStorage.getItem("bindpose.settings"))?.page?.link;
  } catch {
    return;
  }
  const [, lesson, step, values] = /^bindpose:\/\/([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(kept ?? "") ?? [];
  const rest = [step && `step=${step}`, values].filter(Boolean).join("&");
  const on = lesson && page(lesson, rest);
  const link = document.getElementById("go-on");
  if (on && link) {
    link.href = on;
    for (const one of [link, link.parentElement]) one.hidden = false;
  }
})();
