// The page: what is shown, and what the hands do.

async function start() {
  const profile = await loadProfile(document.getElementById('data').textContent);
  document.documentElement.dataset.nodes = profile.n;
}

start();
