// Source: https://www.w3.org/TR/WCAG21/#contrast-minimum
(() => {
	const channels = (color) => color.match(/[\d.]+/g).map(Number);
	const luminance = (color) => {
		const [r, g, b] = channels(color).map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const background = (e) => {
		const color = getComputedStyle(e).backgroundColor;
		return channels(color)[3] === 0 && e.parentElement ? background(e.parentElement) : color;
	};
	const bad = [];
	for (const e of document.querySelectorAll("h1, h2, p, code, dt, dd, th, td, strong, a, figcaption, .plot text")) {
		const style = getComputedStyle(e);
		const [a, b] = [luminance(e.matches("text") ? style.fill : style.color), luminance(background(e))].sort((x, y) => y - x);
		if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(e.tagName + ": " + e.textContent.slice(0, 40));
	}
	return bad;
})()
