/** Names of GPUs in little room: vendor and build give way, the number of the model does not. */
import {isVendor} from './gpu-match.ts';
import {fit, printable, widthOf} from '../text/text-width.ts';

/** Words behind a number that make another model of it. */
const variants = /^(?:Ti|S|D|SUPER|XT|XTX|GRE)$/i;

type Parts = {
	/** The words before the number, without whose it is: "PRO". */
	readonly line: readonly string[];
	/** "4090", "3080 Ti", "H100". */
	readonly model: readonly string[];
	/** Form factor: "PCIE", "SXM", "WS". */
	readonly build: readonly string[];
};

function partsOf(name: string): Parts {
	const words = name.split(/[\s_-]+/).filter(word => word !== '');
	const at = words.findIndex(word => /\d/.test(word));
	if (at === -1) return {line: [], model: words, build: []};
	const behind = words.slice(at + 1);
	const other = behind.findIndex(word => !variants.test(word));
	const end = at + 1 + (other === -1 ? behind.length : other);
	return {
		line: words.slice(0, at).filter(word => !isVendor(word)),
		model: words.slice(at, end),
		build: words.slice(end),
	};
}

/**
 * The name in so many columns: whole, without its vendor, without what stands before its number,
 * without blanks, with its build cut off, and at last its number alone.
 *
 * @param amount what stands before it, such as "8x"
 */
export function gpuNameWithin(name: string, width: number, amount = ''): string {
	const whole = printable(name).trim();
	const {line, model, build} = partsOf(whole);
	const start = amount === '' ? '' : `${amount} `;
	const bare = amount + model.join('');
	const forms = [
		start + whole,
		start + [...line, ...model, ...build].join(' '),
		start + [...model, ...build].join(' '),
		bare + build.join(''),
	];
	const form = forms.find(text => widthOf(text) <= width);
	if (form !== undefined) return form;
	if (widthOf(bare) < width) return fit(bare + build.join(''), width).trimEnd();
	return widthOf(bare) === width ? bare : fit(model.join(''), width).trimEnd();
}
