/** Detection of terminals that only draw ASCII, and the signs of states there. */

type Environment = Readonly<Record<string, string | undefined>>;

/** True if the user wants only ASCII, or the locale has no UTF-8. */
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

/** Signs of states, by those of `state-signs`. */
export const asciiStates: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'▲': '!',
	'✖': 'x',
	'○': 'o',
	'–': '-',
};
