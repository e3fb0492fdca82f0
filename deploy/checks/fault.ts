/** Something wrong in a deployment file, as one sentence for whoever edits it. */
export interface Fault {
  /** Path from the root of the checkout. */
  file: string;
  message: string;
}
