// Does in a real VS Code what a person does, and prints what was seen as one JSON object.
//
//     node drive.mjs URL-OF-THE-FOLDER SCREENSHOT-FOLDER
//
// Waits for what must appear instead of for some time; what never appears ends it with a picture of the window.

import { chromium } from "playwright-core";

const [, , url, pictures] = process.argv;
const PATIENCE_MS = 60_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(PATIENCE_MS);

// The list of files is drawn again while it is searched, so a click may find another row there, or none.
async function openFile(name, tries = 5) {
  await page.keyboard.press("Control+p");
  await page.locator(".quick-input-widget input").fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
  try {
    await page.locator(".tab.active", { hasText: name }).waitFor({ timeout: 10_000 });
  } catch (late) {
    if (tries === 1) throw late;
    await page.keyboard.press("Escape");
    await openFile(name, tries - 1);
  }
}

async function palette(command) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${command}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: command }).first().waitFor();
  await page.keyboard.press("Enter");
}

async function text(selector, options) {
  const found = page.locator(selector, options).first();
  await found.waitFor();
  return (await found.innerText()).replaceAll("\u00a0", " ");
}

// A line as it stands in the editor. Lines are drawn in pieces, and blanks as no-break spaces.
async function line(part) {
  const wanted = new RegExp(part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "[ \\u00a0]"));
  return text(".editor-instance .view-line", { hasText: wanted });
}

async function completeLink() {
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("see [[Sourd", { delay: 60 });
  const row = page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "Sourdough starter" }).first();
  await row.waitFor();
  const offered = await page.locator(".suggest-widget.visible .monaco-list-row .label-name").allInnerTexts();
  await page.screenshot({ path: `${pictures}/completion.png` });
  if (!(await row.getAttribute("class")).includes("focused")) {
    await row.click();
  } else {
    await page.keyboard.press("Enter");
  }
  return { offered, line: await line("see [[Sourdough starter") };
}

async function hover() {
  // Somewhere in the text of the link, which is drawn as a piece of its own or as a part of one.
  const box = await page.evaluate(() => {
    const lines = [...document.querySelectorAll(".editor-instance .view-line")];
    for (const found of lines) {
      const walker = document.createTreeWalker(found, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf("Wood");
        if (at >= 0) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 4);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
      }
    }
    return null;
  });
  await page.mouse.move(box.x - 40, box.y);
  await page.mouse.move(box.x, box.y, { steps: 4 });
  const seen = await text(".monaco-hover:not(.hidden) .hover-contents, .monaco-hover:not(.hidden) .rendered-markdown");
  await page.screenshot({ path: `${pictures}/hover.png` });
  await page.keyboard.press("Escape");
  await page.mouse.move(5, 790);
  return seen;
}

async function lens() {
  const link = page.locator(".codelens-decoration a").first();
  await link.waitFor();
  const title = await link.innerText();
  await page.screenshot({ path: `${pictures}/lens.png` });
  await link.click();
  const peek = await text(".zone-widget .reference-zone-widget, .peekview-widget");
  await page.screenshot({ path: `${pictures}/backlinks.png` });
  await page.keyboard.press("Escape");
  return { title, peek };
}

async function search() {
  await palette("Knapper: Search the Vault");
  const input = page.locator(".quick-input-widget input");
  await page.locator(".quick-input-widget input[placeholder*='a phrase']").waitFor();
  await input.fill("bacteria in the roots");
  const first = page.locator(".quick-input-list .monaco-list-row").first();
  await first.waitFor();
  const label = (await first.innerText()).replaceAll("\u00a0", " ");
  await page.screenshot({ path: `${pictures}/search.png` });
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: "Crop rotation.md" }).waitFor();
  return label;
}

// The test lets the model write on when the first picture is there.
async function ask() {
  await openFile("Bread.md");
  await palette("Knapper: Ask Memory");
  const input = page.locator(".quick-input-widget input[placeholder*='apple trees']");
  await input.waitFor();
  await input.fill("How long do flat breads take in the wood oven?");
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: "Answer" }).waitFor();
  const early = await line("Flat breads take");
  const unfinished = await line("Asking 127.0.0.1");
  await page.screenshot({ path: `${pictures}/ask-early.png` });
  const source = await line("[1] Kitchen/Wood oven.md");
  const later = await line("Rake out the embers, then");
  await page.screenshot({ path: `${pictures}/ask.png` });
  await page.locator(".editor-group-container.active .detected-link").first().click({ modifiers: ["Control"] });
  await page.locator(".tab.active", { hasText: "Wood oven.md" }).waitFor();
  const place = await text(".statusbar-item", { hasText: "selected" });
  await page.screenshot({ path: `${pictures}/ask-passage.png` });
  await page.locator(".codelens-decoration a", { hasText: "Save as note" }).click();
  await page.locator(".quick-input-widget", { hasText: "Title of the note" }).waitFor();
  await page.locator(".quick-input-widget input").first().fill("Flat breads");
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: "Flat breads.md" }).waitFor();
  const saved = await line("Flat breads take");
  await page.screenshot({ path: `${pictures}/ask-saved.png` });
  return { early, unfinished, later, source, place, saved };
}

async function problems() {
  await openFile("Start here.md");
  await palette("View: Focus Problems");
  const panel = page.locator(".markers-panel");
  await panel.locator(".monaco-list-row", { hasText: "Winter windows" }).first().waitFor();
  await page.screenshot({ path: `${pictures}/problems.png` });
  return (await panel.locator(".monaco-list-row").allInnerTexts()).map((row) => row.replaceAll("\u00a0", " "));
}

async function status() {
  await palette("Knapper: Show Status");
  return text(".notifications-toasts .notification-list-item", { hasText: "Knapper is" });
}

const seen = {};
try {
  await page.goto(url);
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  await openFile("Bread.md");
  seen.lens = await lens();
  seen.hover = await hover();
  seen.completion = await completeLink();
  seen.search = await search();
  seen.ask = await ask();
  seen.problems = await problems();
  seen.status = await status();
} catch (failure) {
  seen.failure = String(failure);
  await page.screenshot({ path: `${pictures}/failure.png` });
}
console.log(JSON.stringify(seen));
await browser.close();
