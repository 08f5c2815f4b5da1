/** Opens models from outside: finds them on the hub, asks before a download, downloads, and reads what they are. */
import { LabError } from '../protocol/faults';
import type { OpenModels } from './opening';

/** @throws LabError as {@link OpenModels}. */
export const openModels: OpenModels = ({ recipe }) =>
  Promise.reject(new LabError('recipe-unknown-model', { model: recipe.model.join(', '), known: '' }));
