// Says that the page cannot start, once one of its modules cannot be loaded.
addEventListener("error", ({target}) => {
  if (target.type === "module") document.documentElement.dataset.failed = "true";
}, true);
