import {isNumeric, isOn} from '../../contract/nouns/people.ts';

/** Facts that the owner has set, each as what it is: they are kept as texts. */
export function shownDetails(details: string | null): Readonly<Record<string, unknown>> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	const kept = JSON.parse(details ?? '{}') as Readonly<Record<string, string>>;
	return Object.fromEntries<unknown>(
		Object.entries(kept).map(([name, text]) => [
			name,
			isNumeric(name) ? Number(text) : name === 'balance_threshold_enabled' ? isOn(text) : text,
		]),
	);
}
