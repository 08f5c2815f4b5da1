/** The types of models from outside; they cross to the worker, so they are part of the protocol. */
export type { ModelSource, OnnxHeader } from '../protocol/source';
