import type {Theme} from '../theme.ts';

/** The lines of a frame around something `width` columns wide, with a blank at either side. */
export function boxOf({glyphs: {rule, box}}: Theme, width: number) {
	const across = (left: string, right: string, title = '') =>
		`${left}${rule.repeat(2)}${title === '' ? rule.repeat(2) : ` ${title} `}`.padEnd(
			width + 3,
			rule,
		) + right;
	return {
		top: (title: string) => across(box.topLeft, box.topRight, title),
		middle: across(box.left, box.right),
		bottom: across(box.bottomLeft, box.bottomRight),
		/** A line of the content, which is as wide as the frame wants it. */
		line: (content: string) => `${box.side} ${content} ${box.side}`,
	};
}
