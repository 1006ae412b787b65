import { judgeSession, type Question } from './judge-session.ts';

/** Answers the page: each message is a question, each answer the same question's, or what went wrong. */
declare const self: {
  onmessage: ((message: { readonly data: Question }) => void) | null;
  postMessage: (answer: unknown) => void;
};

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ answer: judgeSession(data) });
  } catch (error) {
    self.postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
};
