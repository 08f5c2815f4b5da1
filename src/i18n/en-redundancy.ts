/** English texts of the experiment redundancy: controls, report, check of the method. */
export const enRedundancy = {
  'red.documents': 'Documents',
  'red.documents.hint':
    'Each is left out once: its layers are predicted by what the others teach. At least {needed}; the ridge’s strength is chosen by leaving one more out.',
  'red.documents.hintHalves': 'Each is split in two by itself. At least {needed}.',
  'red.doc.korean-report': 'Korean report',
  'red.doc.korean-report.what': 'prose on how cache memory is measured and planned',
  'red.doc.model-card': 'English model card',
  'red.doc.model-card.what': 'of the built-in model and of cache twins',
  'red.doc.python-code': 'Python code',
  'red.doc.python-code.what': 'a program for ridge regression',
  'red.doc.korean-changelog': 'Korean change log',
  'red.doc.korean-changelog.what': 'of this page’s versions',
  'red.doc.own': 'your text, {bytes} bytes',
  'red.doc.missing':
    'a text of its sender’s own, which no link carries: add it under the same name, or leave it out',
  'red.doc.remove': 'Remove',
  'red.doc.removeOf': 'Remove {name}',
  'red.doc.removed': '{name} was removed.',
  'red.doc.added': '{name} was added.',
  'red.own.title': 'Add a text of your own',
  'red.own.hint':
    'It stays in this page: no link carries it, nothing is uploaded. It needs {tokens} tokens under the model’s tokenizer, or a run says how many it has.',
  'red.own.name': 'Name',
  'red.own.defaultName': 'text {n}',
  'red.own.text': 'Text',
  'red.own.add': 'Add the text',
  'red.own.file': 'Choose files (.txt, .md)',
  'red.own.drop': 'or drop them anywhere in this box',
  'red.own.full': 'A run takes at most {n} documents: take one out first.',

  'red.skip': 'Tokens skipped',
  'red.skip.help': 'At the start of each document: fed to the model, not used.',
  'red.keep': 'Tokens kept',
  'red.keep.help': 'The next tokens of each document, which are used.',
  'red.split': 'Training and test',
  'red.split.documents': 'leave one document out',
  'red.split.halves': 'halves of each document (the wrong way)',
  'red.split.documents.help': 'Trains on all documents but one and tests on that one.',
  'red.split.halves.help':
    'The wrong way, kept because it teaches: with about as many tokens as channels the fit learns the half by heart, and shuffled tokens then miss by far more than the mean would.',
  'red.pairs': 'Pairs of layers',
  'red.pairs.adjacent': 'adjacent layers',
  'red.pairs.all': 'all pairs (heat map)',
  'red.pairs.adjacent.help':
    'Each layer with a full KV cache predicts the next one, and the first predicts the last.',
  'red.pairs.all.help': 'Each layer with a full KV cache predicts every other one.',
  'red.pairs.count': '{all} pairs instead of {adjacent}: takes up to {n} times longer.',
  'red.pairs.unknownCount':
    'With L such layers L × (L − 1) pairs instead of L: takes up to L − 1 times longer.',
  'red.context': 'Context for the savings',
  'red.context.help':
    'Tokens of one sequence for which the saved bytes are worked out; nothing is measured there.',
  'red.weights': 'Weights of the model',
  'red.weights.help':
    'Bytes, such as 4.5GB or 4.2GiB, to set the savings against. Left empty: as far as the lab knows them.',
  'red.model.random':
    'The built-in model and cache twins have random weights: they show that the method works, not what a language model does. For that, take a model with trained weights from the hub.',
  'red.model.trained': 'Use {name} from the hub',
  'red.model.article':
    'The third article measured Qwen3.5-2B itself. This page’s list of hub models has no export of it: the article’s link above uses its twin, which has the same cache and random weights.',

  'red.verdict.predicts': '{kind} of a layer predicts {ends} of the next layer’s {kind}',
  'red.verdict.partly':
    '{kind} of a layer predicts the next layer’s {kind} in some pairs only (R² {min} to {max})',
  'red.verdict.nothing': '{kind} of a layer predicts nothing of the next layer’s {kind} (R² {ends})',
  'red.verdict.unknown': 'no R² is known for {kind}',
  'red.verdict.shuffled': 'shuffled tokens predict nothing ({ends})',
  'red.verdict.leaks': 'shuffled tokens seem to predict as well ({ends}): a leak',
  'red.verdict.saves':
    'The ideal bound saves {bits} bits per element: {share4} of a 4-bit cache ({saved} of {cache4} at {tokens} tokens), {share16} of a float16 one ({cache16}), beside {weights} of weights.',
  'red.verdict.savesAlone':
    'The ideal bound saves {bits} bits per element: {share4} of a 4-bit cache ({saved} of {cache4} at {tokens} tokens), {share16} of a float16 one ({cache16}); the bytes of the model’s weights are not known.',
  'red.verdict.savesNothing': 'The ideal bound saves nothing.',
  'red.verdict.noPairs': 'No pair of layers was worked out.',
  'red.below': 'below {limit}',
  'red.ends': '{min} to {max}',
  'red.percent': '{min} to {max} %',
  'red.percent.one': '{max} %',
  'red.leak.title': 'A leak: do not believe this result',
  'red.leak':
    'A control with shuffled tokens has an R² above 0 ({worst}, {kind} {pair}, {document}). Tokens in another order cannot predict anything, so training and test are not apart, and every R² below may come from the same leak.',
  'red.leak.chance': 'So little can be chance: change the seed and look again.',
  'red.halves.title': 'The wrong way, on purpose',
  'red.halves':
    'Trained on the first half of each document and tested on its second: {tokens} training tokens for {channels} channels. This is the third article’s own failed first attempt; its shuffled control fell to about -1.3. Leave one document out instead.',
  'red.halves.use': 'Leave one document out',
  'red.random.badge': 'random weights',
  'red.random': 'The weights are random: this R² speaks of the method, not of a language model.',

  'red.answer.redundant': 'Is it redundant?',
  'red.answer.worth': 'Is it worth saving?',
  'red.answer.yes': 'Yes',
  'red.answer.partly': 'In part',
  'red.answer.no': 'No',
  'red.answer.unknown': 'Not known',
  'red.answer.hardly': 'Hardly',
  'red.answer.little': 'A little',
  'red.answer.maybe': 'Perhaps',
  'red.answer.notBelieved': 'Not to be believed',
  'red.redundant.yes':
    'In every adjacent pair the layer before explains more than the mean does: mean R² {k} for K, {v} for V.',
  'red.redundant.partly': 'In {n} of {of} adjacent pairs the layer before explains more than the mean does.',
  'red.redundant.no': 'In no adjacent pair does the layer before explain more than the mean does.',
  'red.redundant.unknown': 'No adjacent pair has a known R².',
  'red.worth.share':
    'At most {saved}: {share} of the weights and the float16 cache together ({together} at {tokens} tokens).',
  'red.worth.nothing': 'There is nothing to save.',
  'red.worth.noWeights':
    'At most {saved} at {tokens} tokens; without the weights’ bytes nobody can say what that is worth. Type them into “{field}” in the settings, and run again.',
  'red.worth.rule': '“Hardly” is below 1 %, “a little” below 10 %.',

  'red.chart': 'R² by pair of layers',
  'red.chart.hint':
    'Points are means over the documents, whiskers their smallest and largest. Hollow points: the same prediction with the test document’s tokens shuffled. Above the heavy line at 0 a prediction is better than the mean.',
  'red.chart.axis': 'from layer → to layer',
  'red.chart.value': 'R² on the document left out',
  'red.chart.valueHalves': 'R² on the second half',
  'red.chart.shuffled': '{kind}, shuffled',
  'red.chart.notAdjacent': 'not adjacent',
  'red.chart.range': '{mean} ({min} to {max} over documents)',

  'red.table': 'By pair of layers',
  'red.col.pair': 'Layers',
  'red.col.kind': 'K or V',
  'red.col.r2': 'R², mean',
  'red.col.range': 'R², documents',
  'red.col.shuffled': 'Shuffled, mean',
  'red.col.shuffledRange': 'Shuffled, documents',
  'red.col.bits': 'Bits saved per element',
  'red.col.notes': 'Notes',
  'red.pair.apart': 'not adjacent',
  'red.unknown': 'not known',
  'red.noBound': 'no bound',
  'red.note.constant-channels': '{count} constant channels',
  'red.note.constant-channels.one': '1 constant channel',
  'red.note.rank-deficient': 'rank {count} in training',
  'red.note.fewer-tokens-than-channels': '{count} training tokens, fewer than channels',
  'red.note.constant-target': 'the predicted layer is constant: no R²',
  'red.notes.title': 'What is special about these data',
  'red.notes.constant-channels':
    'Channels that never change predict nothing and are left out of the correlation.',
  'red.notes.rank-deficient': 'Some channels follow from others; the ridge keeps the fit well defined.',
  'red.notes.fewer-tokens-than-channels':
    'With fewer training tokens than channels the ridge carries the fit: an R² near 0 may come from too little data.',
  'red.notes.constant-target': 'Where the predicted layer does not vary, R² has no meaning and is not known.',

  'red.docs.table': 'By document',
  'red.docs.hint': 'Means over the adjacent pairs, with that document left out of the training.',
  'red.docs.hintHalves': 'Means over the adjacent pairs; trained on the document’s own first half.',
  'red.docs.col': 'Document',
  'red.docs.tokens': 'Tokens',
  'red.docs.r2': '{kind}, R²',
  'red.docs.shuffled': '{kind}, shuffled',
  'red.docs.every': 'Every pair and document ({n})',
  'red.docs.used': 'of them {used} used after {skipped} skipped',
  'red.docs.sha': 'SHA-256',
  'red.docs.noSha': 'not computed here',
  'red.docs.source': 'The documents as they were read',

  'red.corr.title': 'Channel by channel',
  'red.corr.hint':
    '|Pearson| of channel c of one layer with channel c of the other: the median over channels, then the mean over pairs. Each layer makes its keys with weights of its own, so channel numbers do not correspond; what layers share is in linear combinations of all channels.',
  'red.corr.pairs': 'Pairs',
  'red.corr.adjacent': 'adjacent ({n})',
  'red.corr.apart': 'first with last',
  'red.corr.kind': '{kind}, |Pearson|',
  'red.corr.kindR2': '{kind}, R²',
  'red.corr.none': 'the layers have different numbers of channels',

  'red.save.title': 'What it would save',
  'red.save.stored': 'Cache stored in',
  'red.save.f16': 'float16',
  'red.save.4bit': '4 bits',
  'red.save.cache': 'Cache at {tokens} tokens',
  'red.save.saved': 'Saved by the bound',
  'red.save.share': 'Share',
  'red.save.bits':
    '{bits} bits per element = mean over the adjacent pairs of ½·log₂(1/(1−R²)), K and V together.',
  'red.save.perToken':
    '{bytes} bytes per token: keys and values of the {layers} layers that were read, in float16.',
  'red.save.weights': 'Weights of the model, to compare',
  'red.save.weightsUnknown': 'not known: type them into “{field}” in the settings, and run again',
  'red.save.weightsTyped': 'as typed',
  'red.save.times': '{n} times what would be saved',
  'red.save.contexts': 'At other contexts',
  'red.save.caveat':
    'An upper bound, not a codec: it takes keys and values to be Gaussian, predicts linearly, and lets an ideal quantiser have every bit. The first of the layers has no layer before it, but is counted as if it had. The matrices that predict (one a pair) are not subtracted, and errors of a layer stored in few bits would add up in the next.',

  'red.noise.title': 'Noise floor',
  'red.noise.zero':
    'The first document was run twice: its keys and values were equal bit for bit (largest difference 0).',
  'red.noise.some':
    'The first document was run twice: its keys and values differed by at most {value}. GPUs may round sums differently from run to run.',
  'red.noise.none': 'Not measured: the second run of the first document did not happen.',
  'red.lambda.title': 'Lambda that was chosen',
  'red.lambda.hint':
    'One for each document that was the test, out of {candidates}; relative to the mean of the training Gram matrix’s diagonal. The highest mean R² with one more document left out decides, the larger one in a tie.',
  'red.lambda.hintHalves': 'The smallest candidate, {candidates}, without a choice.',

  'red.heat.title': 'Every layer with every other',
  'red.heat.show': 'Set to all pairs',
  'red.heat.set': 'The pairs are set to all: press Run.',
  'red.heat.offer': 'Only adjacent pairs were measured, and the first with the last.',
  'red.heat.kinds': 'What the heat map shows',
  'red.heat.from': 'from ↓, to →',
  'red.heat.hint':
    'R² of the row’s layer predicting the column’s, mean over documents; the stronger the colour, the more. Empty: a layer with itself. R² is not symmetric.',

  'red.method.title': 'Check the method',
  'red.method.lead':
    'Data with a known answer: linear maps with so much noise that the true R² is 0, 0.25, 0.5 and 0.9, and a leak planted on purpose. No model and no GPU is used; it takes about a second.',
  'red.method.run': 'Check the method',
  'red.method.again': 'Check again',
  'red.method.running': 'Working it out …',
  'red.method.truth': 'True R²',
  'red.method.found': 'Found',
  'red.method.difference': 'Difference',
  'red.method.result': 'Result',
  'red.method.pass': 'The method finds what was planted, within {tolerance}, and catches the leak.',
  'red.method.fail':
    'The method does not find what was planted: believe none of its results on this machine.',
  'red.method.leak': 'The planted leak: shuffled R² {shuffled}, above 0. {caught}',
  'red.method.caught': 'It is caught.',
  'red.method.missed': 'It is not caught.',
  'red.method.table': 'Planted and found',

  'red.how.data':
    'Keys (after rotary embedding, as cached) and values of every layer with a full KV cache are read from the live cache: of {documents} documents, tokens {from} to {to} each.',
  'red.how.fit':
    'Source X and target Y, {keep} rows of KV heads × head dim channels a document. X and Y are centred by the training means; W = (XᵀX + λ·tr(XᵀX)/channels · I)⁻¹ XᵀY.',
  'red.how.r2':
    'R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)², over all channels together, on the document that was left out.',
  'red.how.lambda':
    'λ is one of {candidates}: whichever predicts best when one more document is left out of the training.',
  'red.how.numbers':
    '{folds} outer folds × ({inner} inner folds × {lambdas} candidates + 1) = {fits} fits a pair for K, and as many for V.',
  'red.how.numbersHalves': 'One fit a document and pair for K, and one for V.',
  'red.how.gram':
    'Every fit comes from sums of per-document matrices XᵀX, XᵀY and YᵀY in float64, computed once; one factorisation a training set serves all candidates.',
  'red.how.shuffled':
    'The control: the same fit, the test document’s source tokens in another order (seed {seed}). It must be 0 or less: a wrong token predicts worse than the mean. Above 0, training and test are not apart.',
  'red.how.bound': 'Bits per element = ½·log₂(1/(1−R²)): for R² = {r2}, {bits} bits',
  'red.how.bytes': '{bits} bits × {elements} elements a token × {tokens} tokens / 8 = {bytes} bytes',
  'red.how.limits':
    'R² is the share of variance that a linear map explains. The rest still has to be stored, and no quantiser reaches the bound. The same prediction says nothing about quality of text.',
  'red.compare.title': 'R² that was sent, and found here',
  'red.compare.many': 'R² by pair of layers',
  'red.compare.manySame':
    'R² of {same} of {compared} pairs of layers that more than one record has are the same within {tolerance}.',
  'red.compare.tolerance':
    'The same within {tolerance}: GPUs round sums differently, and the fit multiplies that. Bytes must be equal.',
  'red.compare.largest': 'The largest difference is {value}.',
  'red.compare.side': '{r2} (shuffled {shuffled})',
  'red.compare.settings': 'Nothing could be compared, since this run has other settings: {list}.',
  'red.compare.documents': 'Other texts than those that were sent: {list}. Their R² may differ for that.',
  'red.compare.model': 'model',
  'red.compare.dtype': 'element type',
  'red.compare.skip': 'tokens skipped',
  'red.compare.keep': 'tokens kept',
  'red.compare.split': 'training and test',
  'red.compare.seed': 'seed',
  'red.split.short.documents': 'documents',
  'red.split.short.halves': 'halves (the wrong way)',
  'red.subject':
    '{model}, layers {layers} with {channels} channels each for K and for V; {documents} documents, {keep} tokens each after the first {skip}.',
  'red.waiting': 'No pair of layers yet',
  'red.heat.nothingMore': 'With two layers there are no other pairs but the way back.',
  'red.docs.shuffledIs': 'shuffled {value}',
  'red.answer.basis': 'Adjacent pairs, K and V, mean over documents.',
} as const;
