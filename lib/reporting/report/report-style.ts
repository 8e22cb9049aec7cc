/** The style of a report: for screens from 320 pixels on, and for A4. */
export const reportStyle = `
@page { size: A4; margin: 14mm; }
* { box-sizing: border-box; }
body { max-width: 900px; margin: 0 auto; padding: 24px 16px; color: #181c26; background: #fff;
  font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 28px 0 8px; font-size: 17px; break-after: avoid; }
header p, small, .figures span { color: #565e70; }
ul { margin: 0; padding: 0 0 0 18px; }
.figures, .legend { display: flex; flex-wrap: wrap; gap: 10px; padding: 0; list-style: none; }
.figures { margin-top: 18px; }
.figures li { flex: 1 1 140px; padding: 10px 12px; border: 1px solid #dfe3ea; border-radius: 8px; }
.figures li > * { display: block; }
.figures strong { font-size: 21px; }
.legend { gap: 4px 14px; font-size: 13px; }
.key { width: 10px; height: 10px; }
section > svg { display: block; width: 100%; height: auto; break-inside: avoid; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th, td { padding: 5px 8px 5px 0; border-bottom: 1px solid #dfe3ea; text-align: left; vertical-align: top; }
th { color: #565e70; font-weight: 600; }
.number { text-align: right; overflow-wrap: normal; }
td small { display: block; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th:first-child { width: 34%; min-width: 90px; }
@media screen and (max-width: 600px) {
  .extra { display: none; }
  h1 { font-size: 21px; }
  th, td { padding-right: 4px; }
  .number { width: 1%; padding-left: 4px; }
  th:first-child { width: auto; min-width: 72px; }
  section > svg { width: calc(100% - 24px); margin-left: 24px; overflow: visible; }
  section > svg g { font-size: 27px; }
}
@media print { body { padding: 0; max-width: none; font-size: 11pt; } table { font-size: 9pt; } }
`;
