"use strict";
{
  let list = ""; // the list of rounds that was open last

  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#of-")) list = location.hash;
    else if (!location.hash.startsWith("#round-")) list = "";
  });

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && location.hash.startsWith("#of-")) location.hash = "#-";
  });

  // Whoever came from a list to a round goes back to it.
  document.getElementById("viewer").addEventListener("close", () => {
    if (list) location.hash = list;
  });
}
