/** Countries by their two letters, and the regions that a line of words may name instead. */

const countries: ReadonlySet<string> = new Set(
	(
		'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY ' +
		'BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK ' +
		'FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR ' +
		'IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ' +
		'ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
		'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF ' +
		'TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
	).split(' '),
);

const union =
	'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

const regions: ReadonlyMap<string, readonly string[]> = new Map([
	['EU', union],
	[
		'EUROPE',
		[...union, ...'AD AL BA BY CH GB GG GI IM IS JE LI MC MD ME MK NO RS SM UA VA XK'.split(' ')],
	],
	[
		'ASIA',
		'AE AM AZ BD BH GE HK ID IL IN JP KH KR KW KZ LA LK MM MN MO MY NP OM PH PK QA SA SG TH TR TW UZ VN'.split(
			' ',
		),
	],
]);

export const regionNames: readonly string[] = [...regions.keys()];

/** A country or region in its usual form; undefined where it is neither. */
export function readPlace(text: string): string | undefined {
	const code = text.toUpperCase();
	return countries.has(code) || regions.has(code) ? code : undefined;
}

/** The countries of a region; a place that is none stays as it is. */
export function countriesOf(place: string): readonly string[] {
	return regions.get(place) ?? [place];
}
