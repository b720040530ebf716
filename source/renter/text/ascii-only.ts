/** Terminals that draw ASCII alone, and the signs of states there. */

type Environment = Readonly<Record<string, string | undefined>>;

/** True where the user wants ASCII alone, or the locale has no UTF-8. */
export function isAsciiOnly(
	environment: Environment,
	chosen: 'auto' | 'ascii' | 'unicode' = 'auto',
): boolean {
	if (isSet(environment['RENTTY_ASCII']) || chosen === 'ascii') return true;
	const {LC_ALL, LC_CTYPE, LANG} = environment;
	return chosen !== 'unicode' && !/utf-?8/i.test([LC_ALL, LC_CTYPE, LANG].find(isSet) ?? '');
}

function isSet(value: string | undefined): value is string {
	return value !== undefined && value !== '';
}

/** Signs of states, as `state-signs` has them. */
export const asciiStates: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'▲': '!',
	'✖': 'x',
	'○': 'o',
	'–': '-',
};
