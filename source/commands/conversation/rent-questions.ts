/** What `rent` has to know and was not told, one question at a time. */
type Ask = (question: string) => Promise<string>;

/** The words of a rent with what was answered; undefined where nothing can run without an answer. */
export async function askForRent(
	argv: readonly string[],
	usualTemplate: string | null,
	ask: Ask,
): Promise<readonly string[] | undefined> {
	if (argv.some(word => /^--(?:image|template|help|json)\b/.test(word))) return argv;
	const usual = usualTemplate === null ? 'to name an image instead' : 'for the usual one';
	const template = await ask(`Which template? Its name or its hash; an empty line ${usual}.`);
	const image =
		template === '' && usualTemplate === null
			? await ask('Which image? Such as ubuntu:24.04.')
			: '';
	if (template === '' && image === '' && usualTemplate === null) return undefined;
	const label = await ask('Which label? An empty line for none.');
	const disk = await ask('How much disk, in GB? An empty line for as much as is usual.');
	return [
		...argv,
		...given('--template', template),
		...given('--image', image),
		...given('--label', label),
		...given('--disk', disk),
	];
}

function given(option: string, answer: string): readonly string[] {
	// With the sign between them, no answer is taken for an option.
	return answer === '' ? [] : [`${option}=${answer}`];
}
