// Runs a view in a page of its own: no kernel, no network.

import { followLanguage } from "../language/around.js";
import { saved } from "./reading.js";
import { readModel } from "./saved_model.js";
import { importModule, levelHeadings } from "./starting.js";

followLanguage();
const view = await importModule(saved(document, "module"));
const place = /** @type {HTMLElement} */ (document.querySelector("[data-bvl-place]"));
const model = readModel(document);
levelHeadings(place, 2);
const end = await view.render({ model, el: place });
// For tests and the curious: what the page holds, and how to take the view down.
Object.assign(window, { bertvizLite: { model, view, place, end } });
