// A click on a column's head sorts its table: once rising, twice falling.
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => {
        const cell = row.cells[column];
        const number = cell.dataset.number === undefined ? NaN : Number(cell.dataset.number);
        return { row, number, text: cell.textContent };
      });
      keyed.sort((a, b) => {
        const none = Number.isNaN(a.number) - Number.isNaN(b.number);
        if (none !== 0) return none; // what has no number comes last, either way
        const order = Number.isNaN(a.number)
          ? a.text.localeCompare(b.text)
          : a.number - b.number;
        return falling ? -order : order;
      });
      body.append(...keyed.map((one) => one.row));
      table.classList.add("sorted");
    });
  });
}
