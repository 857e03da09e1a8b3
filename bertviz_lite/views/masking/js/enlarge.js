// On the whole screen: the tokens as large as there is room for, in steps, so that the back row reads them.

/** @import { MaskingLab } from "../view.js" */

/** How many times as large as the other letters, the largest first. */
const SIZES = [2, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1];

/**
 * Give the tokens the largest size at which none is out of sight. How high they may be is said in the style sheet,
 * which gives them more room where even the smallest size needs it: bvl-many. Not presented, they are as other letters.
 * @param {MaskingLab} view
 */
export function enlarge({ root, list: { box }, tools }) {
  root.classList.remove("bvl-many");
  box.style.removeProperty("--bvl-enlarged");
  if (!tools.presenter.isOn) return;
  const fits = SIZES.some((size) => {
    box.style.setProperty("--bvl-enlarged", String(size));
    return box.scrollHeight <= box.clientHeight + 1;
  });
  root.classList.toggle("bvl-many", !fits);
}
