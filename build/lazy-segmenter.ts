const {Segmenter} = Intl;

/** Text of which every code unit is a cluster of its own: no CR, marks, joiners or surrogates. */
const simple =
	// oxlint-disable-next-line no-control-regex -- control characters are clusters too
	/^[\u0000-\u000C\u000E-\u02FF\u2010-\u2027\u2030-\u205E\u20A0-\u20BF\u2190-\u28FF\uE000-\uF8FF]*$/;

type Segments = Iterable<Intl.SegmentData> & {
	readonly containing: (index?: number) => Intl.SegmentData | undefined;
};

/**
 * Takes the place of Intl.Segmenter in the bundle. Making a real one takes 6 to 10 ms, and five
 * packages make one as they are loaded: here it is made when a text first needs it.
 */
export class LazySegmenter {
	readonly #options: ConstructorParameters<typeof Intl.Segmenter>;
	#segmenter: Intl.Segmenter | undefined;

	constructor(...options: ConstructorParameters<typeof Intl.Segmenter>) {
		this.#options = options;
	}

	segment(input: string): Segments {
		if (!simple.test(input)) {
			this.#segmenter ??= new Segmenter(...this.#options);
			return this.#segmenter.segment(input);
		}
		const at = (index: number) => ({segment: input.charAt(index), index, input});
		return {
			containing: (index = 0) => (index >= 0 && index < input.length ? at(index) : undefined),
			*[Symbol.iterator]() {
				for (let index = 0; index < input.length; index++) yield at(index);
			},
		};
	}
}
