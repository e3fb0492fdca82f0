/** A rule that the answer of a question breaks. It is stored: it has nothing of the answer. */
export interface AnswerFault {
  /** Member of the answers: the name of the question, or its `valueName`. */
  question: string;
  /** `required`, `type`, `choice`, `invisible`, `unknown`, or the kind of the error of survey-core. */
  rule: string;
}

/** A fault with the words of survey-core in the default locale of the form. */
export interface WordedFault extends AnswerFault {
  message: string;
}

/** Values of data lists, which are not in the definition. */
export interface ListValues {
  question: string;
  list: string;
  values: string[];
}

/** What a worker gets. */
export interface CheckRequest {
  /** Of the form at a revision. */
  key: string;
  /** JSON text; null: the worker may have the model already. */
  definition: string | null;
  /** JSON text. */
  answers: string;
}

/** What a worker returns. */
export type CheckReply =
  | { kind: 'ready' }
  | { kind: 'checked'; faults: WordedFault[]; lists: ListValues[]; hasQuestions: boolean }
  /** The worker does not have the model. */
  | { kind: 'missing' }
  /** survey-core cannot read the definition, or failed. */
  | { kind: 'failed' };
