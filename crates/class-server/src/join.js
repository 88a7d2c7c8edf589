// A link to a page of the notebook is no question about a class; a tab stays in its own.
const inClass = "bindpose.class" in sessionStorage && !location.search;
if (location.hash || inClass) location.replace(`/index.html${location.hash}`);
