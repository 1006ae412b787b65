import { judgeSession, type Question } from './judge-session.ts';

/** Answers the page: each message is a question, each answer the result of the same one, or its failure. */
declare const self: {
  onmessage: ((message: { readonly data: Question }) => void) | null;
  postMessage: (answer: unknown) => void;
};

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ answer: judgeSession(data) });
  } catch (error) {
    // A JSON Schema becomes code, and the page runs no code but its own.
    const isCode = error instanceof EvalError;
    const message = error instanceof Error ? error.message : String(error);
    self.postMessage({
      failure: isCode ? 'A JSON Schema is not tried in a page: use policy explain' : message,
    });
  }
};
